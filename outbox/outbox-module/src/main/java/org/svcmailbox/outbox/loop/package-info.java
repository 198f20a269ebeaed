/** The life of a loop, on a thread that the host gives. */
@NullMarked
package org.svcmailbox.outbox.loop;

import org.jspecify.annotations.NullMarked;
