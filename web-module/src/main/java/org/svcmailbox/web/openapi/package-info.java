/** The OpenAPI document, served as it was written: what the build checks is what clients get. */
@NullMarked
package org.svcmailbox.web.openapi;

import org.jspecify.annotations.NullMarked;
