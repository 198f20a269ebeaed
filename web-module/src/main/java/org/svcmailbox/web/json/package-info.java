/**
 * Request bodies, JSON or bare payloads, bounded and taken strictly, and the writing of answers.
 * Invariant: whatever bytes come in, what comes out is a request record or a payload, a {@code
 * SchemaException} that names the field, or a {@code FrameTooLargeException}.
 */
@NullMarked
package org.svcmailbox.web.json;

import org.jspecify.annotations.NullMarked;
