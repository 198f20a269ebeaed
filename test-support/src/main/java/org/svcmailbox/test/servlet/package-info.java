/** Servlet streams that enforce the contract of non-blocking I/O to the letter. */
@NullMarked
package org.svcmailbox.test.servlet;

import org.jspecify.annotations.NullMarked;
