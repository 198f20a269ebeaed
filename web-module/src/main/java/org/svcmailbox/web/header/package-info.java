/**
 * Message fields in headers, for bodies that are bare payloads. Invariants: input becomes a typed
 * field or a {@code SchemaException} that names the header; output is printable ASCII, so no text
 * can inject a header.
 */
@NullMarked
package org.svcmailbox.web.header;

import org.jspecify.annotations.NullMarked;
