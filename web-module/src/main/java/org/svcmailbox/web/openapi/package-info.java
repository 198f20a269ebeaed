/**
 * Serves the OpenAPI document byte for byte, so that clients get the file that the build checks.
 */
@NullMarked
package org.svcmailbox.web.openapi;

import org.jspecify.annotations.NullMarked;
