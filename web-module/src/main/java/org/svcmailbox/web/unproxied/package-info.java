/**
 * The services without the container around each call, for the doors that are called most. The
 * beans begin no transaction and guard nothing by themselves, so what is left out is only cost:
 * proxies, interceptors, and the request context that those make where there is none.
 */
@NullMarked
package org.svcmailbox.web.unproxied;

import org.jspecify.annotations.NullMarked;
