/** What this service asks of WildFly's web server beyond the Servlet API. */
@NullMarked
package org.svcmailbox.undertow;

import org.jspecify.annotations.NullMarked;
