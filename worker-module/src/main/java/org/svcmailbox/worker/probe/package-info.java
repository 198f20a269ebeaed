/** What monitoring sees of a worker: health, readiness and metrics. */
@NullMarked
package org.svcmailbox.worker.probe;

import org.jspecify.annotations.NullMarked;
