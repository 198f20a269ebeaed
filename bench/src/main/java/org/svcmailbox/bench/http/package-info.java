/**
 * Requests and connections of the generators.
 *
 * <p>Every message has the same payload of 1 KiB. Requests are built before a load, except for keys
 * of fixed length, so that the generator takes little CPU.
 */
@NullMarked
package org.svcmailbox.bench.http;

import org.jspecify.annotations.NullMarked;
