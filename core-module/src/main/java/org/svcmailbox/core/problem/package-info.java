/**
 * What can go wrong, as the outside names it. No HTTP here: the door turns a {@link
 * org.svcmailbox.core.problem.Problem} into a status.
 */
@NullMarked
package org.svcmailbox.core.problem;

import org.jspecify.annotations.NullMarked;
