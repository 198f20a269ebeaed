/** Jobs over dead letters, and single letters that are sent again, over HTTP. */
@NullMarked
package org.svcmailbox.web.redrive;

import org.jspecify.annotations.NullMarked;
