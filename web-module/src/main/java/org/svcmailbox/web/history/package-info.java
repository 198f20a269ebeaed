/** The history of the service and its topics. */
@NullMarked
package org.svcmailbox.web.history;

import org.jspecify.annotations.NullMarked;
