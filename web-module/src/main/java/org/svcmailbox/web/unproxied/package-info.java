/**
 * Services without container proxies, for the busiest endpoints. The beans use neither transactions
 * nor locks of the container, so a proxy only costs time: interceptors and a request context per
 * call.
 */
@NullMarked
package org.svcmailbox.web.unproxied;

import org.jspecify.annotations.NullMarked;
