/** The running worker: its threads, its connections, and the order in which they stop. */
@NullMarked
package org.svcmailbox.worker.run;

import org.jspecify.annotations.NullMarked;
