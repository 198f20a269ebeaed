/** Extensions of WildFly's web server beyond the Servlet API. */
@NullMarked
package org.svcmailbox.undertow;

import org.jspecify.annotations.NullMarked;
