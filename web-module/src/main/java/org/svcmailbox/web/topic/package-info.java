/** Topic administration over HTTP. Calls return after the change is on disk. */
@NullMarked
package org.svcmailbox.web.topic;

import org.jspecify.annotations.NullMarked;
