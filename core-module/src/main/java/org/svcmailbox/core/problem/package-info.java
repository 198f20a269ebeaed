/**
 * The refusals, as clients see them. No HTTP here: the web module maps a {@link
 * org.svcmailbox.core.problem.Problem} to a status.
 */
@NullMarked
package org.svcmailbox.core.problem;

import org.jspecify.annotations.NullMarked;
