/**
 * Bounded, strict request bodies, and the writing of JSON. Invariant: any input becomes a request
 * record, a payload, a {@code SchemaException} that names the field, or a {@code
 * FrameTooLargeException}.
 */
@NullMarked
package org.svcmailbox.web.json;

import org.jspecify.annotations.NullMarked;
