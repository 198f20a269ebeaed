/** Headers of requests and responses, for all endpoints. */
@NullMarked
package org.svcmailbox.web.http;

import org.jspecify.annotations.NullMarked;
