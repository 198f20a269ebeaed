/** The interface's promises to its clients, one per class, on the shared server. */
@NullMarked
package org.svcmailbox.it.contract;

import org.jspecify.annotations.NullMarked;
