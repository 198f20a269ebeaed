/**
 * The load generator and the raw broker baseline it is compared with. {@link
 * org.svcmailbox.bench.Bench} starts the laid-out server, drives it from outside, and prints what
 * it measured.
 */
@NullMarked
package org.svcmailbox.bench;

import org.jspecify.annotations.NullMarked;
