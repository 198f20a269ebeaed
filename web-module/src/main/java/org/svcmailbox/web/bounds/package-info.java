/** The bounds that all callers share, with their holders. */
@NullMarked
package org.svcmailbox.web.bounds;

import org.jspecify.annotations.NullMarked;
