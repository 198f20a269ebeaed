/** Topics and shards: where a message belongs and which settings apply. */
@NullMarked
package org.svcmailbox.core.topic;

import org.jspecify.annotations.NullMarked;
