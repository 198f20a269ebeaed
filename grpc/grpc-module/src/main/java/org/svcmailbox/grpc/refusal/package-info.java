/** Problems as statuses with details. Invariant: each refusal is logged and counted once. */
@NullMarked
package org.svcmailbox.grpc.refusal;

import org.jspecify.annotations.NullMarked;
