/** The domain: messages and their life. It knows no container. */
@NullMarked
package org.svcmailbox.core;

import org.jspecify.annotations.NullMarked;
