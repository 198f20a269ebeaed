/** The audit over HTTP: to export it. */
@NullMarked
package org.svcmailbox.web.audit;

import org.jspecify.annotations.NullMarked;
