/** What the interface promises its clients, one promise per class, on the shared server. */
@NullMarked
package org.svcmailbox.it.contract;

import org.jspecify.annotations.NullMarked;
