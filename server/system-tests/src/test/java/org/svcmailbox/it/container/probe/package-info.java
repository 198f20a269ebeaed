/** Deployed beside the application to call its beans from within. */
@NullMarked
package org.svcmailbox.it.container.probe;

import org.jspecify.annotations.NullMarked;
