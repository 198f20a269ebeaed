/** Converts messages to core types and back. Invariant: an unknown field is refused. */
@NullMarked
package org.svcmailbox.grpc.message;

import org.jspecify.annotations.NullMarked;
