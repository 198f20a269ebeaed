/**
 * The fields of a message in the headers of a request or an answer whose body is the bare payload.
 * Invariants: what comes in is a field in its type or a {@code SchemaException} that names the
 * header; what goes out is printable ASCII, whatever a sender wrote, so no text can become a header
 * of its own.
 */
@NullMarked
package org.svcmailbox.web.header;

import org.jspecify.annotations.NullMarked;
