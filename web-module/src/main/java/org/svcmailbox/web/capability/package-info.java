/**
 * Authentication, and capability administration. Invariant: no call under {@code /v1} reaches a
 * resource or servlet without a caller.
 */
@NullMarked
package org.svcmailbox.web.capability;

import org.jspecify.annotations.NullMarked;
