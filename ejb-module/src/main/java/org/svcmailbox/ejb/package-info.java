/**
 * Everything around the core that needs a server: shard workers, adapters of broker and database,
 * timers.
 */
@NullMarked
package org.svcmailbox.ejb;

import org.jspecify.annotations.NullMarked;
