/** Lints the OpenAPI document. The client generated from it is this module's main code. */
@NullMarked
package org.svcmailbox.openapi;

import org.jspecify.annotations.NullMarked;
