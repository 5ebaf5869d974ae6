#pragma once
#include "engine/result.h"
#include "storage/log_reader.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace app {

/// The lines that could not be read (`--rejects FILE`), as JSON Lines. One thread.
class RejectsFile {
public:
    /// Makes the file, or empties it. Errors: file.write.
    static engine::Result<std::unique_ptr<RejectsFile>> create(const std::string& path,
                                                               std::vector<std::string> logs);
    ~RejectsFile();
    RejectsFile(const RejectsFile&) = delete;
    RejectsFile& operator=(const RejectsFile&) = delete;

    /// Lines of the LOG with this index.
    void add(std::size_t log, const std::vector<storage::LineReject>& lines);
    /// Starts anew: the log is read a second time.
    void restart();
    engine::Status finish();

private:
    RejectsFile(std::string path, std::vector<std::string> logs, std::FILE* file);

    std::string m_path;
    std::vector<std::string> m_logs; ///< their names
    std::FILE* m_file;
    int m_error = 0; ///< errno of the first failure
};

} // namespace app
