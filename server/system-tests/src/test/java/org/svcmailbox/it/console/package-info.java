/** HTTP tests of the console's endpoints and of the event stream. */
@NullMarked
package org.svcmailbox.it.console;

import org.jspecify.annotations.NullMarked;
