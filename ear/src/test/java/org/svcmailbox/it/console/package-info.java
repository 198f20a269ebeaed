/** The console as browsers see it, and what only it needs of the service. */
@NullMarked
package org.svcmailbox.it.console;

import org.jspecify.annotations.NullMarked;
