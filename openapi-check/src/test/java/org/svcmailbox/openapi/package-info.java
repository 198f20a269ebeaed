/** What those who read the OpenAPI document with tools of their own make of it. */
@NullMarked
package org.svcmailbox.openapi;

import org.jspecify.annotations.NullMarked;
