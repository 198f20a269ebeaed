/**
 * Who may come in, and capabilities as operators manage them. Invariant: no call of {@code /v1}
 * reaches a resource or a door without a caller.
 */
@NullMarked
package org.svcmailbox.web.capability;

import org.jspecify.annotations.NullMarked;
