/** Topics and their shards: which shard a message belongs to, and which settings hold for it. */
@NullMarked
package org.svcmailbox.core.topic;

import org.jspecify.annotations.NullMarked;
