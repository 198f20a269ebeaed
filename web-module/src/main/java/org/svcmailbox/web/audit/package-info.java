/** Exports the audit log over HTTP. */
@NullMarked
package org.svcmailbox.web.audit;

import org.jspecify.annotations.NullMarked;
