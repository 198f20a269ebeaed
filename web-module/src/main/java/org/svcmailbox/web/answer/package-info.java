/** Answers before they are written, by whomever to whichever interface of the server. */
@NullMarked
package org.svcmailbox.web.answer;

import org.jspecify.annotations.NullMarked;
