/**
 * A program that the build runs on the laid-out server: it completes the list of parts. Invariant:
 * nothing here ships.
 */
@NullMarked
package org.svcmailbox.layout;

import org.jspecify.annotations.NullMarked;
