/** The state of the service and its conditions. */
@NullMarked
package org.svcmailbox.web.state;

import org.jspecify.annotations.NullMarked;
