/** Threads that start together, and waits that end. */
@NullMarked
package org.svcmailbox.test.concurrent;

import org.jspecify.annotations.NullMarked;
