/**
 * What can go wrong, as clients see it. No HTTP here: the web module maps a {@link
 * org.svcmailbox.core.problem.Problem} to a status.
 */
@NullMarked
package org.svcmailbox.core.problem;

import org.jspecify.annotations.NullMarked;
