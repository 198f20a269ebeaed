/** Threads that start together or wait for each other, and waits that end. */
@NullMarked
package org.svcmailbox.test.concurrent;

import org.jspecify.annotations.NullMarked;
