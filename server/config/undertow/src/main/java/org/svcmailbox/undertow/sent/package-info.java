/**
 * Reports when the kernel has the last byte of a response. Invariants: each report is made once; a
 * response that ends in any other way than by a complete flush is reported as not sent.
 */
@NullMarked
package org.svcmailbox.undertow.sent;

import org.jspecify.annotations.NullMarked;
