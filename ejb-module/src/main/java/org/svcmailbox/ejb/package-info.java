/** The shells around the core: shard workers, broker and database adapters, timers. */
@NullMarked
package org.svcmailbox.ejb;

import org.jspecify.annotations.NullMarked;
