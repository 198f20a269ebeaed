/**
 * The error funnel: whatever goes wrong becomes an RFC 9457 problem here, is logged here once, and
 * reaches clients in no other form.
 */
@NullMarked
package org.svcmailbox.web.problem;

import org.jspecify.annotations.NullMarked;
