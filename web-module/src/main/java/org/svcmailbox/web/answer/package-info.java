/** HTTP answers before they are written, through JAX-RS or a servlet. */
@NullMarked
package org.svcmailbox.web.answer;

import org.jspecify.annotations.NullMarked;
