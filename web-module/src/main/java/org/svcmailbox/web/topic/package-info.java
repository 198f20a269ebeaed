/** Topics over HTTP, as operators manage them. Calls block until the change is on disk. */
@NullMarked
package org.svcmailbox.web.topic;

import org.jspecify.annotations.NullMarked;
