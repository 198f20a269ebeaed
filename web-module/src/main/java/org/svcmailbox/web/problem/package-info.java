/** The error funnel: logs each failure once and answers it as an RFC 9457 problem. */
@NullMarked
package org.svcmailbox.web.problem;

import org.jspecify.annotations.NullMarked;
