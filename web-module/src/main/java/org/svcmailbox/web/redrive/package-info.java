/** Redrive jobs and resends over HTTP. */
@NullMarked
package org.svcmailbox.web.redrive;

import org.jspecify.annotations.NullMarked;
